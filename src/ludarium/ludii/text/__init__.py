"""From the text of a `.lud` file to one plain description, every character of which knows where it came from."""
