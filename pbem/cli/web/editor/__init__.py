"""The editor of scenarios: a page of the table's server for one folder."""
