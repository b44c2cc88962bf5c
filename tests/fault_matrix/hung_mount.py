#!/usr/bin/env python3
"""hung_mount.py FOLDER: a file system that never answers, mounted on FOLDER of this mount namespace, until killed (root)."""
import ctypes
import os
import sys
import time

fd = os.open("/dev/fuse", os.O_RDWR)
libc = ctypes.CDLL(None, use_errno=True)
options = f"fd={fd},rootmode=40000,user_id=0,group_id=0,allow_other".encode()
if libc.mount(b"hung", sys.argv[1].encode(), b"fuse.hung", 0, options) != 0:
    sys.exit("mount: " + os.strerror(ctypes.get_errno()))
print("mounted", flush=True)
time.sleep(600)
