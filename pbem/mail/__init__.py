"""Messages to statements and back: finding an armoured block whatever mail programs did to it."""
