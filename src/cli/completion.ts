import { type Command, choice, command } from './command.ts'

const PROGRAM = 'device-intelligence'

/** `listCommands` is called when the command runs: it has to load all of them. */
export const completionCommand = (listCommands: () => Promise<readonly Command[]>) =>
  command({
    name: 'completion',
    help: 'Print a script that completes commands and options in your shell.',
    arguments: { shell: choice(['bash', 'zsh', 'fish']) },
    notes: [
      '  bash: source <(device-intelligence completion bash)',
      '  zsh:  source <(device-intelligence completion zsh)',
      '  fish: device-intelligence completion fish | source',
    ],
    async run({ shell }) {
      const candidates = completions((await listCommands()).filter(({ isInternal }) => !isInternal))
      return { text: shell === 'fish' ? fishScript(candidates) : bashScript(candidates, shell === 'zsh') }
    },
  })

/** Candidates by the words typed before: command words, then options and the choices of the first argument. */
function completions(commands: readonly Command[]): ReadonlyMap<string, readonly string[]> {
  const next = new Map<string, Set<string>>([['', new Set()]])
  const add = (after: string, word: string) => next.set(after, (next.get(after) ?? new Set()).add(word))
  for (const { name, completions } of commands) {
    const words = name.split(' ')
    for (const [at, word] of words.entries()) add(words.slice(0, at).join(' '), word)
    for (const word of completions) add(name, word)
  }
  return new Map([...next].map(([after, words]) => [after, [...words]]))
}

/** zsh runs the bash function through its own compatibility layer. */
function bashScript(candidates: ReadonlyMap<string, readonly string[]>, isZsh: boolean): string {
  // The longest match first: "org policy set" before "org".
  const cases = [...candidates]
    .sort(([a], [b]) => b.length - a.length)
    .map(([after, words]) => `    ${after === '' ? '""' : `"${after}"|"${after} "*`}) words="${words.join(' ')}" ;;`)
  return `${isZsh ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_device_intelligence() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _device_intelligence ${PROGRAM}`
}

function fishScript(candidates: ReadonlyMap<string, readonly string[]>): string {
  const lines = [...candidates].map(([after, words]) => {
    const seen = after.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`)
    const condition = after === '' ? '__fish_use_subcommand' : seen.join('; and ')
    return `complete -c ${PROGRAM} -n '${condition}' -a '${words.join(' ')}'`
  })
  return lines.join('\n')
}
