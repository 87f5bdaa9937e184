/** True where the arguments of a command ask how it is used: that is no wrong usage. */
export const asksHelp = (args: readonly string[]): boolean => args.includes('--help') || args.includes('-h');
