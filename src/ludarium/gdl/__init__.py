"""Rules in GDL: readers, checker, grounder, network, compiler."""
