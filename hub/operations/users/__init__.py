"""People who sign in: users, roles, factors, invitations and sign-in links."""
