"""The post at work: letters taken in, handled and sent, in rounds until it closes or once without a service."""
