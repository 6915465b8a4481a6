/** The command, on these CPUs only. Debian's util-linux has `taskset`; it becomes the program, so the process id stays. */
export const pinnedCommand = (
  command: readonly [string, ...string[]],
  cpus: string | undefined,
): readonly [string, ...string[]] => (cpus === undefined ? command : ['taskset', '-c', cpus, ...command])
