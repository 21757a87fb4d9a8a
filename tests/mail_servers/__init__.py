"""Mail through real programs: Postfix, Dovecot, NeoMutt, s-nail, all on this machine alone."""
