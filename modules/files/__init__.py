"""Files: hashing, archives, tar shards and disk space, without torch and without images."""
