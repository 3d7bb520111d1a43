import { type Command, parseArguments } from './command.ts'
import { CommandError } from './command-error.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
const PROGRAM = 'device-intelligence'

/** `listCommands` is called when the command runs: it has to load all of them. */
export const completionCommand = (listCommands: () => Promise<readonly Command[]>): Command => ({
  name: 'completion',
  usage: SHELLS.join('|'),
  help: 'Print a script that completes commands and options in your shell.',
  details: [
    '  bash: source <(device-intelligence completion bash)',
    '  zsh:  source <(device-intelligence completion zsh)',
    '  fish: device-intelligence completion fish | source',
  ].join('\n'),
  choices: SHELLS,
  async run(args, context) {
    const usage = `completion ${SHELLS.join('|')}`
    const { positionals } = parseArguments(args, {}, { least: 1, most: 1, usage })
    const shell = SHELLS.find((name) => name === positionals[0])
    if (!shell) throw new CommandError(`There is no completion for "${positionals[0]}". Usage: ${usage}`, 2)
    const candidates = completions((await listCommands()).filter(({ isInternal }) => !isInternal))
    context.print(shell === 'fish' ? fishScript(candidates) : bashScript(candidates, shell === 'zsh'))
    return 0
  },
})

/** What may follow which words: command words, then options and the choices of the first argument. */
function completions(commands: readonly Command[]): ReadonlyMap<string, readonly string[]> {
  const next = new Map<string, Set<string>>([['', new Set()]])
  const add = (after: string, word: string) => next.set(after, (next.get(after) ?? new Set()).add(word))
  for (const { name, usage, details = '', choices = [] } of commands) {
    const words = name.split(' ')
    for (const [at, word] of words.entries()) add(words.slice(0, at).join(' '), word)
    for (const choice of choices) add(name, choice)
    for (const [option] of `${usage}\n${details}`.matchAll(/--[a-z][a-z-]+/g)) add(name, option)
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
    const condition = after === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${after.split(' ').at(-1)}`
    const all = after
      .split(' ')
      .slice(0, -1)
      .map((word) => `__fish_seen_subcommand_from ${word}; and `)
      .join('')
    return `complete -c ${PROGRAM} -n '${all}${condition}' -a '${words.join(' ')}'`
  })
  return lines.join('\n')
}
