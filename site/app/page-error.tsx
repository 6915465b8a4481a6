import { TriangleAlert } from 'lucide-react'
import { Button } from './components/button.tsx'
import { useWords } from './words-context.tsx'

/** `Helix 0.2.0+1a2b3c4d5e6f`: what a report of the error needs. The document has it even if the API does not answer. */
const documentVersion = (): string => document.querySelector<HTMLMetaElement>('meta[name="generator"]')?.content ?? ''

/** The last resort: a page that threw while rendering. */
export const PageError = () => {
  const { errors } = useWords()
  return (
    <div className="error-notice" role="alert">
      <TriangleAlert size={18} strokeWidth={1.5} aria-hidden />
      <div className="stack tight">
        <b>{errors.pageTitle}</b>
        <p>{errors.pageText}</p>
        <p className="mono">{documentVersion()}</p>
        <Button onClick={() => location.reload()}>{errors.reload}</Button>
      </div>
    </div>
  )
}
