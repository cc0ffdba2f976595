"""From text to records: lines, chunks, turns, one game at a time, with every slip located and explained."""
