import { mkdirSync, statSync } from 'node:fs'
import { type TinyModelName, tinyModels, writeTinyModel } from './tiny-models/tiny-models.ts'

/** `npm run tiny-models -- FOLDER`: writes the tiny models of the tests, to try them by hand. */
const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('usage: npm run tiny-models -- FOLDER')
  process.exit(1)
}
mkdirSync(folder, { recursive: true })
for (const name of Object.keys(tinyModels) as TinyModelName[]) {
  const path = writeTinyModel(folder, name)
  console.log(`wrote ${path} (${statSync(path).size} bytes)`)
}
