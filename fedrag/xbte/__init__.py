"""The x-bte annotation language: from an operation to requests, from answers to records.

``template`` renders values, ``request`` builds calls, ``paging`` asks for the next page, ``pairing``
finds out which hit answers which input, ``mapping`` evaluates response mappings, ``answer`` puts
records together.
"""
