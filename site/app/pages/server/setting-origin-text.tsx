import type { AdminWords } from '../../../../languages/words.ts'
import type { ShownSetting } from '../../../../src/platform/contract/server.ts'

/** Where a value comes from, for the line under its field and for the table. */
export const originText = (
  { source, place, isFixed }: ShownSetting,
  { server }: Pick<AdminWords, 'server'>,
): string => {
  if (isFixed) return server.setBy(place ?? '')
  if (source === 'file') return server.fromFile(place ?? 'helix.config.json')
  return source === 'console' ? server.savedHere : server.fromDefault
}
