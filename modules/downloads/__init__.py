"""Files of the web: which addresses are allowed, how they are asked, how a download goes on."""
