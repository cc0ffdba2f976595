"""Games as pages that any web server can show: made from what everybody may know, and nothing in them computes rules.

A page holds the latest board and patches that lead back from it. Everything here is pure but for
`site_folder`, which writes.
"""
