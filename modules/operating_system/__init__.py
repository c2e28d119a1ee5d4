"""Differences between operating systems in one place: no other code uses system calls directly.

- ``locks``: marks on files that end with the process that holds them
- ``process_table``, ``processes``: identity of a process, its family, signals to it
- ``parent_death``, ``orphans``, ``guardian``: no process outlives its parent
- ``forking``, ``spawning``: forked processes with everything loaded, and new processes
- ``signals``, ``limits``: ending processes, resource limits
- ``machine``, ``kernel``: cores, GPUs, memory; process facts that only Linux reports
- ``files``: operations on files, including open ones
- ``names``: valid file names
- ``standard_streams``: encoding of output
- ``special_files``: pipes and devices behind a name
- ``wall``: a sandbox for foreign code: read-only packages and no network

Every file can be imported on every system; missing features are emulated as well as possible, as
documented at each function.
"""
