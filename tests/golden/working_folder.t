# Where names of files without a folder belong.
$ pwd | wc -l
1

! mkdir -p here && cd here && rpl pwd | sed 's|.*/||'
here

! mkdir -p gone && cd gone && rmdir ../gone && rpl pwd; echo $?
1
err: error: the working folder is gone: No such file or directory; leave rpl and start it in a folder that exists

! rpl pwd --json | grep -c '"folder": "/'
1
