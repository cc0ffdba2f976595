"""What a doctor looks at, and what is found: settings and ways in and out, keys, the database and what it keeps."""
