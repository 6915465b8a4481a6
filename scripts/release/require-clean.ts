/** `status` is what `git status --porcelain` prints. */
export const requireClean = (status: string): void => {
  const changed = status.split('\n').flatMap((line) => line.slice(3) || [])
  if (changed.length > 0)
    throw new Error(`A release is made from a commit, and these files differ from it: ${changed.join(', ')}`)
}
