import { documentConfig } from '../src/config/document-config.ts'
import { documentCompatibility } from './document-compatibility.ts'
import { documentDecisions } from './document-decisions.ts'
import { documentErrors } from './document-errors.ts'
import { documentLogEvents } from './document-log-events.ts'
import { documentTeams } from './document-teams.ts'

/** Pages generated from the code, by path. A test compares them with the files. */
export const generatedDocs = (): Record<string, string> => ({
  'docs/compatibility.md': documentCompatibility(),
  'docs/config.md': documentConfig(),
  'docs/decisions/README.md': documentDecisions(),
  'docs/errors.md': documentErrors(),
  'docs/operate/log-events.schema.json': documentLogEvents(),
  'docs/teams.md': documentTeams(),
})
