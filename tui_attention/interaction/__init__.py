"""What a key, a typed line or a message means, decided once for every front end. No screen, no printing, no files."""
