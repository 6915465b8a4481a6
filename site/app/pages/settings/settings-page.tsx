import { PageHead } from '../../components/page-head.tsx'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'

export const SettingsPage = () => {
  const { shell } = useWords()
  usePageTitle(shell.settings)
  return (
    <div className="page">
      <PageHead title={shell.settings} lede={shell.settings} />
    </div>
  )
}
