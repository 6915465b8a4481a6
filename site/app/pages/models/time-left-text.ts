import type { Language } from '../../../../languages/language.ts'
import type { ModelPull } from '../../../../src/platform/contract/models.ts'

/** "5 min", of the file that is being downloaded; null while nobody can say, and for the last seconds. */
export const timeLeftText = (
  { receivedBytes, totalBytes, bytesPerSecond }: Pick<ModelPull, 'receivedBytes' | 'totalBytes' | 'bytesPerSecond'>,
  language: Language,
): string | null => {
  if (totalBytes === null || bytesPerSecond === null || bytesPerSecond === 0) return null
  const minutes = (totalBytes - receivedBytes) / bytesPerSecond / 60
  if (minutes < 0.5) return null
  const unit = minutes < 100 ? 'minute' : 'hour'
  const format = new Intl.NumberFormat(language.locale, { style: 'unit', unit, maximumFractionDigits: 0 })
  return format.format(Math.max(1, unit === 'minute' ? minutes : minutes / 60))
}
