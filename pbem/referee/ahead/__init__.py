"""Looking ahead from a position: what a seat could do, how many ways there are, and a whole game made up by chance."""
