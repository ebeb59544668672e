"""What an order earns: commission rules and their preview, volume bonuses, the network's fee, when it is payable."""
