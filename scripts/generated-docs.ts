import { documentConfig } from '../src/config/document-config.ts'
import { defaultLanguage, languageCodes } from '../src/languages/languages.ts'
import { readWords } from '../src/languages/words.ts'
import { documentCompatibility } from './document-compatibility.ts'
import { documentDecisions } from './document-decisions.ts'
import { documentErrors } from './document-errors.ts'
import { documentLogEvents } from './document-log-events.ts'
import { documentTeams } from './document-teams.ts'

const tablesOfSettings = await Promise.all(
  languageCodes.map(async (code) => {
    const folder = code === defaultLanguage ? 'docs' : `languages/${code}/documents`
    return [`${folder}/config.md`, documentConfig(await readWords(code, 'settings'))] as const
  }),
)

/** Pages generated from the code, by path. A test compares them with the files. */
export const generatedDocs = (): Record<string, string> => ({
  'docs/compatibility.md': documentCompatibility(),
  'docs/decisions/README.md': documentDecisions(),
  'docs/errors.md': documentErrors(),
  'docs/operate/log-events.schema.json': documentLogEvents(),
  'docs/teams.md': documentTeams(),
  ...Object.fromEntries(tablesOfSettings),
})
