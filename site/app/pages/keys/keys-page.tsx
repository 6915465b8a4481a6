import { PageHead } from '../../components/page-head.tsx'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'

export const KeysPage = () => {
  const { shell } = useWords()
  usePageTitle(shell.keys)
  return (
    <div className="page">
      <PageHead title={shell.keys} lede={shell.keys} />
    </div>
  )
}
