import { writeFileSync } from 'node:fs'
import { generatedDocs } from './generated-docs.ts'

/** `npm run docs`: writes the pages generated from code. */
for (const [path, text] of Object.entries(generatedDocs())) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text)
  console.log(`wrote ${path}`)
}
