import { TriangleAlert } from 'lucide-react'
import { Button } from './components/button.tsx'
import { useWords } from './words-context.tsx'

/** The last net: a page that threw while it was drawn. */
export const PageFault = () => {
  const { faults } = useWords()
  return (
    <div className="error-notice" role="alert">
      <TriangleAlert size={18} strokeWidth={1.5} aria-hidden />
      <div className="stack tight">
        <b>{faults.pageTitle}</b>
        <p>{faults.pageText}</p>
        <Button onClick={() => location.reload()}>{faults.reload}</Button>
      </div>
    </div>
  )
}
