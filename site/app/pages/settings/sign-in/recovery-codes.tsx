import { Download } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { useWords } from '../../../words-context.tsx'

/** Shown once, and kept nowhere in this browser. */
export const RecoveryCodes = ({ codes, onDone }: { codes: readonly string[]; onDone(): void }) => {
  const { ways } = useWords()
  const text = codes.join('\n')
  const save = (): void => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([`${ways.codesFile}\n\n${text}\n`], { type: 'text/plain' }))
    link.download = 'helix-recovery-codes.txt'
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <>
      <p>{ways.codesText}</p>
      <ul className="recovery-codes mono" translate="no">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="actions">
        <Button onClick={save}>
          <Download size={16} strokeWidth={1.5} aria-hidden />
          {ways.saveCodes}
        </Button>
        <CopyButton text={text}>{ways.copyCodes}</CopyButton>
        <Button look="primary" onClick={onDone}>
          {ways.codesKept}
        </Button>
      </div>
    </>
  )
}
