"""The study of coevolution: networks that judge states, evolved from the rules of six games."""
