"""Words of the shapes that secrets and identities have, from a seed; or, where a machine is to hold none, harmless
ones."""
import base64
import random
import string

ALPHANUMERIC = string.ascii_letters + string.digits
HEX, UPPER_HEX = "0123456789abcdef", "0123456789ABCDEF"


class Words:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def any(self, length, letters=ALPHANUMERIC):
        return "".join(self.random.choice(letters) for _ in range(length))

    def hex(self, length):
        return self.any(length, HEX)

    def upper_hex(self, length):
        return self.any(length, UPPER_HEX)

    def upper(self, length):
        return self.any(length, string.ascii_uppercase + string.digits)

    def digits(self, length):
        return self.any(length, string.digits)

    def base64(self, size):
        return base64.b64encode(self.random.randbytes(size)).decode()

    def number(self, low, high):
        return self.random.randrange(low, high)

    def joined(self, separator, lengths, letters=HEX):
        return separator.join(self.any(length, letters) for length in lengths)

    def word(self):
        return "".join(self.random.choice("bcdfgklmnprstvz") + self.random.choice("aeiou") for _ in range(3))

    def user(self):
        return self.word() + self.random.choice(["ov", "ski", "son", "ez"])

    def password(self):
        begins, ends = ["Tr0ub", "Winter", "xK9", "qwErt"], ["!x", "7z", "#q", "Zz"]
        return self.random.choice(begins) + self.any(7) + self.random.choice(ends)

    def uuid(self):
        return self.joined("-", (8, 4, 4, 4, 12))

    def address(self, *first):
        """An IPv4 address that begins so."""
        return ".".join([*map(str, first), *(str(self.number(1, 250)) for _ in range(4 - len(first)))])

    def mac(self, first):
        return ":".join([first] + [self.hex(2) for _ in range(5)])
