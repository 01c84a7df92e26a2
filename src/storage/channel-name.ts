const CHANNEL = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * Refuses names of channels that the two engines would read differently (`LISTEN` takes no
 * parameters, and unquoted names are folded to lower case). A fault of the program, not of a client.
 */
export function assertChannelName(channel: string): void {
  if (!CHANNEL.test(channel)) throw new TypeError(`Not a name for a channel: ${channel}`);
}
