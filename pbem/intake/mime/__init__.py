"""How a mail is put together: headers, parts and encodings, read strictly and within limits."""
