"""The site: a folder of static files in which the table runs in a browser, without a server.

`build` writes the folder, `taking` gets what it needs from elsewhere, `serving` tries it. `answering` is the
side of Python in the browser; `page/` is what the browser loads first, `replaced/` what stands in for a
compiled library there.
"""
