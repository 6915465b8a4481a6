import { TriangleAlert } from 'lucide-react'
import { Button } from './components/button.tsx'
import { useWords } from './words-context.tsx'

/** The last resort: a page that threw while rendering. */
export const PageError = () => {
  const { errors } = useWords()
  return (
    <div className="error-notice" role="alert">
      <TriangleAlert size={18} strokeWidth={1.5} aria-hidden />
      <div className="stack tight">
        <b>{errors.pageTitle}</b>
        <p>{errors.pageText}</p>
        <Button onClick={() => location.reload()}>{errors.reload}</Button>
      </div>
    </div>
  )
}
