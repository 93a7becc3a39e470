"""A picture viewer whose strip takes the colour of the picture shown."""
