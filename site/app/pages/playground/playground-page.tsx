import { PageHead } from '../../components/page-head.tsx'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'

export const PlaygroundPage = () => {
  const { shell } = useWords()
  usePageTitle(shell.playground)
  return (
    <div className="page">
      <PageHead title={shell.playground} lede={shell.playground} />
    </div>
  )
}
