/** CPU time of this thread since `process.threadCpuUsage()` returned `before`. */
export const cpuMsSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
