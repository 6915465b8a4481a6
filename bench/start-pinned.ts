import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'

/** Starts a program of the benches in a process of its own; with `cpus`, such as `0,1` or `2-15`, on those only. */
export const startPinned = (
  file: URL,
  cpus: string | undefined,
  args: readonly string[] = [],
  more: ForkOptions = {},
) => {
  const flags = ['--disable-warning=ExperimentalWarning']
  // Debian's util-linux has it. It becomes the program, so the process id and the channel stay.
  const pinned = cpus === undefined ? {} : { execPath: 'taskset' }
  const execArgv = cpus === undefined ? flags : ['-c', cpus, process.execPath, ...flags]
  const child: ChildProcess = fork(file, [...args], { ...more, ...pinned, execArgv })
  return child
}
