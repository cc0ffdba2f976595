"""Who a mail comes from: addresses, what our own server vouches for, and the tickets that we gave out."""
