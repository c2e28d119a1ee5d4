"""Objects: files and folders in an object store such as S3, and their local copies."""
