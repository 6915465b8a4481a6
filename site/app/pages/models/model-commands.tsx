import { useWords } from '../../admin-words-context.tsx'
import { CopyIcon } from '../../components/copy-icon.tsx'
import { Section } from '../../components/section.tsx'

const commands = [
  { name: 'add', line: './helix models add /models/mine.gguf --name mine' },
  { name: 'pull', line: './helix models pull hf:owner/repository/file.gguf --name mine' },
  { name: 'default', line: './helix models default mine' },
  { name: 'remove', line: './helix models remove mine' },
] as const

/** Files are added where they are, so the page says how and does nothing itself. */
export const ModelCommands = () => {
  const { shell } = useWords()
  const { models } = useWords()
  return (
    <Section title={models.manage} text={models.manageText}>
      <dl className="model-commands">
        {commands.map(({ name, line }) => (
          <div key={name}>
            <dt className="with-copy">
              <code translate="no">{line}</code> <CopyIcon text={line} label={shell.copyCommand} />
            </dt>
            <dd>{models.commands[name]}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
