# A session goes on after a mistake, and says what to type next.
(rpl) nosuch
err: error: unknown command 'nosuch'; 'help' lists the commands

(rpl) !echo from the host
from the host

(rpl) help nosuch
err: error: unknown command 'nosuch'; 'help' lists the commands

# A reader that has enough is no error.
! rpl help --json | head -1; echo done
{
done
