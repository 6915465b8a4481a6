import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const name = 'helix-v1'

/** Beside the program, or in the npm package with the model, which `helix` has put on the path of modules. */
export const findBundledModel = (): string => {
  const beside = fileURLToPath(new URL(`../../models/${name}`, import.meta.url))
  if (existsSync(beside)) return beside
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? []
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(join(path, 'model.json'))) ?? beside
}
