import { audit as en } from '../../../words/en/audit.ts'
import { audit as ja } from '../../../words/ja/audit.ts'
import type { Shape, Words } from '../../../words/words.ts'
import { useLocale } from '../../words-context.tsx'

/** With those of the audit log, which come with the pages that show it. */
export type AuditWords = Words & { audit: Shape<typeof en> }

export const useAuditWords = (): AuditWords => {
  const { words, language } = useLocale()
  return { ...words, audit: language === 'ja' ? ja : en }
}
