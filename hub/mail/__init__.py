"""Mail: what is to be sent is stored in the transaction of the act that causes it, and sent afterwards."""
