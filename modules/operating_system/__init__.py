"""What differs between operating systems, in one place: nothing else names a system's own calls.

- ``locks``: marks on files that end with the process that holds them
- ``process_table``, ``processes``: who a process is, its family, signals to it
- ``parent_death``, ``orphans``, ``guardian``: no process outlives what it works for
- ``forking``, ``spawning``: processes made with all that is loaded, and processes started anew
- ``signals``, ``limits``: ending processes, what they may take
- ``machine``, ``kernel``: cores, GPUs, memory; what only Linux tells of a process
- ``files``: what may be done to files, open ones too
- ``names``: what files may be called
- ``standard_streams``: the letters that a process prints
- ``special_files``: pipes and devices that a name may lead to
- ``wall``: packages that cannot be changed and no network, for code of others

Every file can be imported on every system; what a system lacks is answered as well as it can be,
and each function says how.
"""
