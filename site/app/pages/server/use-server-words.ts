import { server as en } from '../../../words/en/server.ts'
import { server as ja } from '../../../words/ja/server.ts'
import type { Shape } from '../../../words/words.ts'
import { useLocale } from '../../words-context.tsx'

/** Apart from the other words: only pages of the server's owner need them. */
export const useServerWords = (): Shape<typeof en> => (useLocale().language === 'ja' ? ja : en)
